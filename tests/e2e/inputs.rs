//! Values for one run: several runs of one workflow with different data.

use weevil_e2e::{FakeWorker, Form, TestServer, number, shipped};

const RUNS: &str = "/api/v1/runs";

fn add() -> Form {
    Form::of(&shipped("add"))
}

#[test]
fn a_run_computes_with_its_own_values_also_after_sigkill() {
    let mut server = TestServer::start(&[]);
    let plain = server.api().run_form(&add());
    server.api().cancel(&plain.run);
    let again = || Form::default().text("workflow", &plain.workflow);
    // The job `val3` adds `val1` and `val2`: 44 and 13 by the document, and CBOR needs a second byte from 24 on.
    for (form, input) in [
        (add(), [0x82, 0x18, 44, 13].as_slice()),
        (add().text("set", "val1=12"), &[0x82, 12, 13]),
        (add().file("setFile", "val2", b" 2\n"), &[0x82, 0x18, 44, 2]),
        (add().text("set", "val1=0x10").file("setFile", "val2", b"3"), &[0x82, 16, 3]),
        (again().text("set", "val2=5"), &[0x82, 0x18, 44, 5]),
    ] {
        let created = server.api().run_form(&form);
        assert_eq!(created.workflow, plain.workflow, "inputs leave the workflow as it is");
        server.kill();
        server.restart();
        assert_eq!(FakeWorker::join(&server.address, 1).job().input.as_slice(), input);
        server.api().cancel(&created.run);
    }
}

#[test]
fn the_result_follows_from_the_inputs() {
    let server = TestServer::start(&[]);
    let run = server.api().run_form(&add().text("set", "val1=1").text("set", "val5=7")).run;
    let mut worker = FakeWorker::join(&server.address, 1);
    for input in [[0x82, 1, 13], [0x82, 7, 14]] {
        let job = worker.job();
        assert_eq!(job.input.as_slice(), input);
        worker.report(vec![(job.key, number(f64::from(input[1] + input[2])))]);
    }
    assert_eq!(server.api().await_end(&run).result, Some(21.into()));
}

#[test]
fn inputs_that_do_not_fit_are_told_together_and_nothing_runs() {
    let server = TestServer::start(&[]);
    for (form, status, code, words) in [
        (add().text("set", "val11=1"), 422, "badInput", ["`val11`", "did you mean `val1`"].as_slice()),
        (add().text("set", "val3=1"), 422, "badInput", &["`val3` is a job"]),
        (add().text("set", "val1=many"), 422, "badInput", &["`val1` is of type Number", "`many`"]),
        (add().file("setFile", "val1", b"[1"), 422, "badInput", &["`val1`", "line 1"]),
        (add().file("setFile", "val1", b"\"1\""), 422, "badInput", &["`val1` is of type Number"]),
        (
            add().text("set", "val1=x").text("set", "nobody=1").file("setFile", "val2", b"{}"),
            422,
            "badInput",
            &["3 inputs", "`val1`", "`val2`", "`nobody`"],
        ),
        (add().text("set", "val1=1").text("set", "val1=2"), 400, "badUpload", &["`val1` comes twice"]),
        (add().text("set", "val1"), 400, "badUpload", &["`val1`", "`=`"]),
    ] {
        let (found, error) = server.api().submit(RUNS, &form).refusal();
        assert_eq!((found, error.code.as_str()), (status, code), "{}", error.detail);
        for word in words {
            assert!(error.detail.contains(word), "{word}: {}", error.detail);
        }
    }
    assert_eq!(server.api().runs(), vec![]);
}
