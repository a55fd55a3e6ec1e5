//! GPU jobs: who is told of the GPU, what goes with their code, and what follows when the GPU is lost.

use weevil_protocol::slot::SlotKernel;

use super::*;

#[test]
fn the_gpu_is_named_in_a_hello_of_its_own() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1, 2]));
    let mut set =
        |percent| story.event(Event::Command(PageCommand::SetGpu { percent, adapter: Some("amd".into()) }));
    assert_eq!(set(0), [], "as it was");
    let effects = set(50);
    let duty = |percent| Effect::ToSlot { generation: 1, command: SlotCommand::GpuDuty { percent } };
    assert!(effects.contains(&duty(50)), "{effects:?}");
    assert_eq!(set(900), [duty(100)], "nothing new for the server");
    assert!(effects.contains(&Effect::Disconnect), "{effects:?}");
    assert_eq!(story.held(0), [1, 2], "what slots hold goes on");
    story.event(Event::Tick);
    let effects = story.event(Event::Connected);
    let named = |hello: &Hello| (hello.capabilities, hello.adapter.clone(), hello.keeps_gpu);
    let lent = (Some(15), Some("amd".into()), None);
    assert!(matches!(sent(&effects)[..], [ClientFrame::Hello(hello)] if named(hello) == lent), "{effects:?}");
    story.event(welcome());
    let mut set =
        |percent| story.event(Event::Command(PageCommand::SetGpu { percent, adapter: Some("amd".into()) }));
    set(0);
    story.event(Event::Tick);
    let effects = story.event(Event::Connected);
    let kept = (Some(13), None, Some(true));
    assert!(
        matches!(sent(&effects)[..], [ClientFrame::Hello(hello)] if named(hello) == kept),
        "a GPU that is not lent is not named: {effects:?}"
    );
}

#[test]
fn a_gpu_that_is_lost_twice_a_day_is_left_alone() {
    let mut story = Story::working(2);
    let adapter = Some("amd".into());
    story.event(Event::Command(PageCommand::SetGpu { percent: 100, adapter }));
    story.event(Event::Tick);
    story.event(Event::Connected);
    story.event(welcome());
    for (slot, after_ms, left_alone) in
        [(0, 0.0, false), (1, 50.0, false), (0, 9.0e7, false), (0, 3.6e6, true)]
    {
        story.pass(after_ms);
        let effects = story.report(slot, SlotReport::GpuLost);
        assert_eq!(effects.contains(&Effect::Disconnect), left_alone, "{after_ms}");
    }
    story.event(Event::Tick);
    let effects = story.event(Event::Connected);
    assert!(
        matches!(sent(&effects)[..], [ClientFrame::Hello(hello)] if (hello.capabilities, hello.keeps_gpu) == (Some(13), None)),
        "nobody is to ask for it: {effects:?}"
    );
}

#[test]
fn gpu_code_waits_for_its_kernels_and_each_job_worker_is_sent_the_runtime_once() {
    let mut story = Story::working(1);
    let of = |hash| CodeRef { kind: Some(CodeKind::WebCl), code: [hash; 32], ..code(1) };
    let parts = GpuParts {
        kernels: vec![SlotKernel { name: "Add.wgsl".into(), text: "fn".into() }],
        runtime: vec![0, 1],
    };
    let mut runtimes = Vec::new();
    for (hash, at) in [(3, 1), (4, 2)] {
        let effects = story.event(assign_of(of(hash), &[i64::from(hash)]));
        assert!(effects.contains(&Effect::FetchKernels { code: at, workflow: Some([1; 32]) }));
        story.event(Event::Code { code: at, bytes: Ok("text".into()) });
        let effects = story.event(Event::Kernels { code: at, parts: Ok(parts.clone()) });
        runtimes.extend(effects.into_iter().filter_map(|effect| match effect {
            Effect::ToSlot { command: SlotCommand::Code { kernels, gpu, .. }, .. } => Some((kernels, gpu)),
            _ => None,
        }));
    }
    let kernels = Some(parts.kernels);
    assert_eq!(runtimes, [(kernels.clone(), Some(vec![0, 1])), (kernels, None)]);
    story.event(assign_of(of(5), &[9]));
    let effects = story.event(Event::Kernels { code: 3, parts: Err("404".into()) });
    assert!(matches!(sent(&effects)[..], [ClientFrame::Yield { attempts, .. }] if attempts[..] == [key(9)]));
}

#[test]
fn a_kernel_that_is_a_job_is_sent_by_itself_with_the_runtime() {
    let mut story = Story::working(1);
    let kernel = CodeRef { kind: Some(CodeKind::Wgsl), source: "axpy.wgsl".into(), ..code(1) };
    let effects = story.event(assign_of(kernel, &[1]));
    assert!(effects.contains(&Effect::FetchKernels { code: 1, workflow: None }), "no other kernel is wanted");
    story.event(Event::Code { code: 1, bytes: Ok("text".into()) });
    let parts = GpuParts { kernels: Vec::new(), runtime: vec![0, 1] };
    let effects = story.event(Event::Kernels { code: 1, parts: Ok(parts) });
    let given = effects.into_iter().find_map(|effect| match effect {
        Effect::ToSlot { command: SlotCommand::Code { code_kind, text, kernels, gpu, .. }, .. } => {
            Some((code_kind, text, kernels, gpu))
        }
        _ => None,
    });
    let itself = vec![SlotKernel { name: "axpy.wgsl".into(), text: "text".into() }];
    assert_eq!(given, Some((CodeKind::Wgsl, String::new(), Some(itself), Some(vec![0, 1]))));
    assert_eq!(story.held(0), [1]);
}
