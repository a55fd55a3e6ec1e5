//! The workflows that ship with the project load without a word, and are what their READMEs say.

use std::path::{Path, PathBuf};

use crate::common::{from_disk, plan};
use weevil_model::{DataType, JobType};
use weevil_workflow::{NodeBody, Plan};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../workflows").join(name)
}

fn shipped(name: &str) -> Plan {
    let readme = std::fs::read_to_string(folder(name).join("README.md")).unwrap();
    assert!(readme.contains(&format!("weevil run workflows/{name} --wait")));
    plan(&from_disk(&folder(name)))
}

fn expected(name: &str) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(folder(name).join("expected.json")).unwrap()).unwrap()
}

fn literal(plan: &Plan, node: usize) -> serde_json::Value {
    let NodeBody::Value(encoded) = &plan.nodes()[node].body else { panic!("a value is expected") };
    encoded.value().unwrap().to_json()
}

#[test]
fn add_sums_44_13_and_100() {
    let plan = shipped("add");
    let sum: i64 = [0, 1, 4].iter().map(|node| literal(&plan, *node).as_i64().unwrap()).sum();
    assert_eq!(expected("add")["result"], sum);
    assert_eq!(&*plan.node(plan.final_node()).id, "val4");
    assert_eq!(plan.codes().count(), 1);
}

#[test]
fn webcl_add_is_add_on_gpus() {
    let plan = shipped("webcl-add");
    let jobs = plan.nodes().iter().filter_map(|node| match &node.body {
        NodeBody::Job(job) => Some((job.job_type, job.repeatable)),
        _ => None,
    });
    assert_eq!(jobs.collect::<Vec<_>>(), [(JobType::WebCl, false); 2], "the kernel is no part of the code");
    assert_eq!(expected("webcl-add"), expected("add"));
}

#[test]
fn saxpy_is_a_kernel_by_itself() {
    let plan = shipped("saxpy");
    let NodeBody::Job(job) = &plan.node(plan.final_node()).body else { panic!("a job is expected") };
    assert!(job.is_kernel() && !job.repeatable);
    let numbers = |node| literal(&plan, node)["values"].as_array().unwrap().clone();
    let a = literal(&plan, 2).as_f64().unwrap();
    let pairs = numbers(0).into_iter().zip(numbers(1));
    let sums: Vec<_> = pairs.map(|(x, y)| y.as_f64().unwrap() + a * x.as_f64().unwrap()).collect();
    let told = expected("saxpy")["result"]["values"].as_array().unwrap().clone();
    assert_eq!(told.iter().map(|sum| sum.as_f64().unwrap()).collect::<Vec<_>>(), sums);
}

#[test]
fn flops_counts_ten_operations_for_each_turn_of_1000_processors() {
    let plan = shipped("flops");
    let sizes = literal(&plan, 0);
    let turns: u64 = sizes.as_array().unwrap().iter().map(|size| size.as_u64().unwrap()).sum();
    assert_eq!(
        (sizes.as_array().unwrap().len(), expected("flops")["result"].as_u64()),
        (1000, Some(turns * 10))
    );
    assert_eq!(plan.codes().count(), 2);
}

#[test]
fn pi_has_1000_processors_whose_results_are_pairs() {
    let plan = shipped("pi");
    assert_eq!(literal(&plan, 0), serde_json::json!(vec![5_000_000; 1000]));
    let pool = plan.node(plan.final_node());
    let NodeBody::Pool { processor, reducer } = &pool.body else { panic!("a pool is expected") };
    assert_eq!((processor.return_type, reducer.return_type), (DataType::Array, DataType::Number));
    assert_eq!((processor.job_type, &*reducer.source), (JobType::JavaScript, "pi_reduce.js"));
    let (result, tolerance) = (expected("pi")["result"].as_f64(), expected("pi")["tolerance"].as_f64());
    assert!(result.zip(tolerance).is_some_and(|(pi, within)| (pi - std::f64::consts::PI).abs() < within));
}
