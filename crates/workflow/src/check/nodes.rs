//! Value, job and pool elements to drafts of nodes: what each says by itself, before names are resolved.

use std::ops::RangeInclusive;
use std::sync::Arc;

use weevil_model::limits::{DEFAULT_ATTEMPTS, DEFAULT_TIMEOUT_SECONDS, MAX_NODES};
use weevil_model::trust::Policy;
use weevil_model::{DataType, Encoded, JobType, NodeKind};

use super::code::Main;
use super::draft::{Draft, PortDraft, finish_ports, id};
use super::sources::{self, Sources};
use super::{agree, kernel_ports, module, pools, ports, trust};
use crate::bundle::Bundle;
use crate::circumstances::Circumstances;
use crate::codes;
use crate::document::Element;
use crate::findings::{Findings, quoted};
use crate::kernel::Kernels;
use crate::limits::{PRIORITY, RETRIES, TIMEOUT_SECONDS};
use crate::spec::{JobSpec, NodeBody};

/// Reads all nodes, in document order, with the policy of those that name none; `None` when there are more than
/// [`MAX_NODES`].
pub(super) fn read<'d>(
    root: &'d Element<'d>,
    trust: Option<Policy>,
    bundle: &'d Bundle,
    here: Circumstances<'_>,
    findings: &mut Findings<'_>,
) -> Option<Vec<Draft<'d>>> {
    // Where they are missing as a whole, no edge is told to lead nowhere.
    let elements = &root.child("nodes")?.children;
    let parts = |element: &Element<'_>| if element.name == "pool" { 2 } else { 0 };
    let mut count = 0;
    for element in elements {
        count += 1 + parts(element);
        if count > MAX_NODES {
            let message = format!("more than {MAX_NODES} nodes, counting processors and reducers");
            let help = "use a pool for jobs that differ in their data alone".to_owned();
            findings.report(&codes::LIMIT, findings.tag(element), message, Some(help));
            return None;
        }
    }
    let sources = Sources::new(bundle, Kernels::new(bundle, here.kernels));
    let mut reader = NodeReader { sources, trust, here, uses_gpu: false, findings };
    let drafts = elements.iter().filter_map(|element| reader.node(element)).collect();
    if reader.uses_gpu {
        reader.sources.kernels.check_all(reader.findings);
    }
    Some(drafts)
}

pub(super) struct NodeReader<'d, 'c, 'f, 't> {
    sources: Sources<'d, 'c>,
    /// What the workflow says for its nodes.
    trust: Option<Policy>,
    here: Circumstances<'c>,
    /// Some job may ask for a kernel.
    uses_gpu: bool,
    pub(super) findings: &'f mut Findings<'t>,
}

impl<'d> NodeReader<'d, '_, '_, '_> {
    fn node(&mut self, element: &'d Element<'d>) -> Option<Draft<'d>> {
        match element.name {
            "value" => Some(self.value(element)),
            "job" => Some(self.job_node(element)),
            "pool" => Some(pools::read(self, element)),
            _ => None,
        }
    }

    fn value(&mut self, element: &'d Element<'d>) -> Draft<'d> {
        let returns = self.data_type(element, "returntype");
        let body = self.value_body(element, returns).map(NodeBody::Value);
        Draft { kind: NodeKind::Value, element, ports: Vec::new(), returns, body }
    }

    fn value_body(&mut self, element: &'d Element<'d>, returns: Option<DataType>) -> Option<Encoded> {
        match (element.attribute("value"), element.attribute("src")) {
            (Some(literal), None) => sources::literal(literal, returns?, self.findings),
            (None, Some(src)) => self.sources.value(src, returns?, self.findings),
            (Some(_), Some(src)) => {
                let message = "both `value` and `src` are given; one of them is expected".to_owned();
                self.findings.report(
                    &codes::VALUE_AND_SRC,
                    self.findings.name_of(src),
                    message,
                    Some("delete one".to_owned()),
                );
                None
            }
            (None, None) => {
                let message = "neither `value` nor `src` is given; one of them is expected".to_owned();
                let help = "add `value=\"..\"` with a literal, or `src=\"..\"` with the name of a .json file";
                self.findings.report(
                    &codes::NO_VALUE,
                    self.findings.tag(element),
                    message,
                    Some(help.to_owned()),
                );
                None
            }
        }
    }

    fn job_node(&mut self, element: &'d Element<'d>) -> Draft<'d> {
        let ports = self.ports(element);
        let returns = self.data_type(element, "returntype");
        let body = self.job(element, &ports, returns).map(NodeBody::Job);
        Draft { kind: NodeKind::Job, element, ports, returns, body }
    }

    /// What a job, processor or reducer element says about its work.
    pub(super) fn job(
        &mut self,
        element: &'d Element<'d>,
        ports: &[PortDraft<'_>],
        returns: Option<DataType>,
    ) -> Option<Arc<JobSpec>> {
        let priority = self.number(element, "priority", &PRIORITY, 0);
        let timeout =
            self.number(element, "timeout", &TIMEOUT_SECONDS, DEFAULT_TIMEOUT_SECONDS.cast_signed());
        let retries = self.number(element, "retries", &RETRIES, DEFAULT_ATTEMPTS.cast_signed() - 1);
        let deterministic = self.flag(element, "deterministic");
        let trust = trust::read(element, self.findings).or(self.trust);
        let job_type = self.job_type(element);
        self.uses_gpu |= job_type == Some(JobType::WebCl);
        let comparing = agree::read(element, &mut self.sources, self.findings);
        let judged_by = self.here.policy(trust);
        agree::check(&comparing, (trust, judged_by), job_type, element, self.findings);
        let src = element.attribute("src");
        let (source, code) = src.and_then(|src| self.sources.code(src, job_type?, self.findings))?;
        match &code.main {
            Some(Main::Function(main)) => ports::check(main, element, ports, self.findings),
            Some(Main::Module(main)) => module::check(main, element, ports, returns, self.findings),
            Some(Main::Kernel(main)) => kernel_ports::check(main, element, ports, returns, self.findings),
            None => {}
        }
        if judged_by.is_some_and(Policy::is_judged) {
            trust::check_copies(&code.readings, deterministic?, element, self.findings);
        }
        Some(Arc::new(JobSpec {
            id: id(element).into(),
            job_type: job_type?,
            code: code.hash,
            source,
            ports: finish_ports(ports)?,
            return_type: returns?,
            priority: priority?,
            timeout_seconds: timeout?.cast_unsigned(),
            attempts: retries?.cast_unsigned() + 1,
            deterministic: deterministic?,
            trust,
            agree: comparing.agree,
            within: comparing.within,
            proof: comparing.proof,
            // What a GPU computes follows from its kernels too, and from the device.
            repeatable: code.repeatable && job_type? != JobType::WebCl,
        }))
    }

    pub(super) fn ports(&mut self, element: &'d Element<'d>) -> Vec<PortDraft<'d>> {
        let parameters = element.child("parameters").into_iter().flat_map(|parameters| &parameters.children);
        parameters
            .filter(|parameter| parameter.name == "parameter")
            .map(|parameter| PortDraft {
                element: parameter,
                data_type: self.data_type(parameter, "paramtype"),
            })
            .collect()
    }

    pub(super) fn data_type(&mut self, element: &Element<'_>, name: &str) -> Option<DataType> {
        let attribute = element.attribute(name)?;
        let word = attribute.word();
        let known = DataType::parse(word);
        if known.is_none() {
            let message = format!("unknown type {}", quoted(word));
            let names = || DataType::all().map(DataType::name);
            let list = || format!("the types are {}", names().collect::<Vec<_>>().join(", "));
            let help = self.findings.did_you_mean(word, names()).unwrap_or_else(list);
            self.findings.report(&codes::UNKNOWN_TYPE, attribute.value_at.clone(), message, Some(help));
        }
        known
    }

    fn job_type(&mut self, element: &Element<'_>) -> Option<JobType> {
        let Some(attribute) = element.attribute("jobtype") else { return Some(JobType::JavaScript) };
        let word = attribute.word();
        let known = JobType::parse(word);
        if known.is_none() {
            let names = || JobType::ALL.iter().map(|known| known.as_str());
            let list = || format!("the jobtypes are {}", names().collect::<Vec<_>>().join(", "));
            let help = self.findings.did_you_mean(word, names()).unwrap_or_else(list);
            let message = format!("unknown jobtype {}", quoted(word));
            self.findings.report(&codes::UNKNOWN_JOB_TYPE, attribute.value_at.clone(), message, Some(help));
        }
        known
    }

    fn number(
        &mut self,
        element: &Element<'_>,
        name: &str,
        range: &RangeInclusive<i32>,
        default: i32,
    ) -> Option<i32> {
        let Some(attribute) = element.attribute(name) else { return Some(default) };
        let number = attribute.word().parse().ok().filter(|number| range.contains(number));
        if number.is_none() {
            let (found, low, high) = (quoted(attribute.word()), range.start(), range.end());
            let message = format!("`{name}` is {found}; a whole number from {low} to {high} is expected");
            let help = format!("leave it out for the default, {default}");
            self.findings.report(&codes::BAD_NUMBER, attribute.value_at.clone(), message, Some(help));
        }
        number
    }

    /// False where it is left out.
    fn flag(&mut self, element: &Element<'_>, name: &str) -> Option<bool> {
        let Some(attribute) = element.attribute(name) else { return Some(false) };
        let flag = attribute.word().parse().ok();
        if flag.is_none() {
            let message = format!("`{name}` is {}; `true` or `false` is expected", quoted(attribute.word()));
            let help = "leave it out for the default, false".to_owned();
            self.findings.report(&codes::BAD_FLAG, attribute.value_at.clone(), message, Some(help));
        }
        flag
    }
}
