//! The figures at the end of the demo.
//! It never measures: the server did.

use std::f64::consts::PI;

use super::api::RunView;
use crate::failure::{Done, Failure};

/// Prints the figures of a finished run; a run that failed is a failure.
pub(super) fn print(view: &RunView) -> Done {
    println!("\n{}", figures(view)?);
    Ok(())
}

fn figures(view: &RunView) -> Done<String> {
    let cure = "the run's page in the console shows every attempt";
    if !view.is_finished() {
        return Err(Failure::new(format!("the run ended as {}: {}", view.state(), view.error()), cure));
    }
    let stats = view.stats();
    let pi = view.number().ok_or_else(|| Failure::new("the run finished without a number", cure))?;
    let rows = [
        ("pi", pi.to_string()),
        ("error", format!("{:e}", (pi - PI).abs())),
        ("jobs", stats.jobs.to_string()),
        ("wall time", format!("{:.2} s", stats.wall_ms as f64 / 1000.0)),
        ("attained", format!("{:.1} MFLOPS", stats.mflops)),
        ("utilisation", format!("{:.1} %", stats.utilisation * 100.0)),
    ];
    Ok(rows.map(|(name, value)| format!("{name:<12} {value}")).join("\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn shows_the_figures_of_a_finished_run() {
        let view = RunView::from(json!({
            "summary": {"state": "FINISHED"}, "result": 3.5,
            "stats": {"jobs": 1000, "wallMs": 27_340, "mflops": 812.34, "utilisation": 0.9712},
        }));
        let shown = figures(&view).unwrap();
        assert!(shown.contains("error        3.584073464102069e-1"), "{shown}");
        for part in ["pi           3.5", "jobs         1000", "27.34 s", "812.3 MFLOPS", "97.1 %"] {
            assert!(shown.contains(part), "{part} in {shown}");
        }
    }

    #[test]
    fn a_failed_run_is_a_failure_with_its_error() {
        let view = RunView::from(json!({
            "summary": {"state": "FAILED"}, "error": {"node": "pi", "attempts": [
                {"attempt": 1, "worker": "", "kind": "thrown", "message": "boom", "stack": ""},
            ]},
        }));
        assert!(figures(&view).unwrap_err().to_string().contains("pi: boom"));
    }
}
