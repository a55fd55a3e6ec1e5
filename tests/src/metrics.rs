//! Metrics as a strict scraper reads them: `OpenMetrics` 1.0, each line checked.

use std::collections::BTreeMap;

/// Samples by name and labels, as they are written: `weevil_results_total{verdict="accepted"}`.
#[derive(Debug, Default)]
pub struct Metrics {
    samples: BTreeMap<String, f64>,
    families: BTreeMap<String, Family>,
}

#[derive(Debug, Default)]
struct Family {
    kind: String,
    help: String,
    unit: Option<String>,
}

impl Metrics {
    pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /// What has been described, without the endings of samples.
    pub fn families(&self) -> impl Iterator<Item = &str> {
        self.families.keys().map(String::as_str)
    }

    /// Panics at the first line that the format does not allow.
    pub fn parse(text: &str) -> Self {
        let body = text.strip_suffix("# EOF\n").expect("the text says where it ends");
        let mut metrics = Self::default();
        let mut family = String::new();
        for line in body.lines() {
            match line.strip_prefix("# ") {
                Some(comment) => metrics.describe(comment, &mut family),
                None => metrics.sample(line, &family),
            }
        }
        metrics.check_histograms();
        metrics
    }

    fn describe(&mut self, comment: &str, current: &mut String) {
        let (keyword, rest) = comment.split_once(' ').expect("a keyword");
        let (name, value) = rest.split_once(' ').expect("a name and a value");
        if name != current {
            assert_eq!(keyword, "HELP", "{name} begins with its help");
            assert!(!self.families.contains_key(name), "{name} is described once");
            name.clone_into(current);
        }
        let family = self.families.entry(name.to_owned()).or_default();
        match keyword {
            "HELP" => value.clone_into(&mut family.help),
            "TYPE" => value.clone_into(&mut family.kind),
            "UNIT" => {
                assert!(name.ends_with(value), "{name} ends with its unit {value}");
                family.unit = Some(value.to_owned());
            }
            other => panic!("{other} is no keyword"),
        }
    }

    fn sample(&mut self, line: &str, family: &str) {
        let (key, value) = line.rsplit_once(' ').expect("a value");
        let name = key.split('{').next().expect("a name");
        let described = self.families.get(family).unwrap_or_else(|| panic!("{line} has no description"));
        let suffix = name.strip_prefix(family).unwrap_or_else(|| panic!("{line} is not of {family}"));
        let allowed: &[&str] = match described.kind.as_str() {
            "counter" => &["_total"],
            "gauge" => &[""],
            "info" => &["_info"],
            "histogram" => &["_bucket", "_count", "_sum"],
            other => panic!("{other} is no type"),
        };
        assert!(allowed.contains(&suffix), "{line}: a {} has no {suffix}", described.kind);
        assert!(family.starts_with("weevil_") && described.help.ends_with('.'), "{family}: {described:?}");
        if let Some((_, labels)) = key.split_once('{') {
            check_labels(labels);
        }
        let value = value.parse().unwrap_or_else(|_| panic!("{line} has no number"));
        assert!(self.samples.insert(key.to_owned(), value).is_none(), "{key} comes once");
    }

    /// Buckets only grow, and the last one is the count.
    fn check_histograms(&self) {
        let histograms = self.families.iter().filter(|(_, family)| family.kind == "histogram");
        for (name, family) in histograms {
            let prefix = format!("{name}_bucket{{le=\"");
            let buckets = self.samples.iter().filter_map(|(key, count)| {
                let bound = key.strip_prefix(&prefix)?.strip_suffix("\"}")?.parse::<f64>();
                Some((bound.expect("a bound"), *count))
            });
            let mut buckets: Vec<(f64, f64)> = buckets.collect();
            buckets.sort_by(|a, b| a.0.total_cmp(&b.0));
            assert!(buckets.is_sorted_by(|a, b| a.1 <= b.1), "{name}: {buckets:?}");
            let last = buckets.last().expect("a histogram has buckets");
            assert!(last.0.is_infinite(), "{name} ends at infinity");
            assert_eq!(last.1.to_bits(), self.get(&format!("{name}_count")).to_bits(), "{name}");
            assert!(family.unit.as_deref().is_none_or(|unit| unit == "seconds"), "{name}: base units");
        }
    }

    /// 0 where there is no such sample yet.
    pub fn get(&self, key: &str) -> f64 {
        self.samples.get(key).copied().unwrap_or_default()
    }

    pub fn has(&self, key: &str) -> bool {
        self.samples.contains_key(key)
    }
}

/// `a="x",b="y"}`, with nothing that would need an escape.
fn check_labels(labels: &str) {
    let labels = labels.strip_suffix('}').expect("labels end");
    for label in labels.split(',') {
        let (name, value) = label.split_once('=').expect("a label has a value");
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{label}");
        let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).expect("quotes");
        assert!(!value.is_empty() && !value.contains(['"', '\\', '\n']), "{label}");
    }
}
