//! Kernels that are jobs: what is wrong with the file is told in it, what is wrong with a node at the node.

use super::{Span, unmark};
use crate::common::{JOB, bundle, listed, problems};
use weevil_model::Diagnostic;
use weevil_workflow::{Circumstances, NodeBody, load, load_with};

const DOCUMENT: &str = r#"<workflow>
  <nodes>
    <value id="v" value="[1, 2]" returntype="Float32Array"/>
    <value id="w" value="[3, 4]" returntype="Float32Array"/>
    <value id="n" value="2" returntype="Number"/>
    <job id="j" jobtype="webcl" src="axpy" returntype="Float32Array">
      <parameters>
        <parameter id="x" paramtype="Float32Array"/>
        <parameter id="y" paramtype="Float32Array"/>
        <parameter id="a" paramtype="Number"/>
      </parameters>
    </job>
  </nodes>
  <edges>
    <edge source="v" dest="j" paramdest="x"/>
    <edge source="w" dest="j" paramdest="y"/>
    <edge source="n" dest="j" paramdest="a"/>
  </edges>
  <finalnode id="j"/>
</workflow>
"#;

const KERNEL: &str = "
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> a: f32;
@compute @workgroup_size(64)
fn axpy(@builtin(global_invocation_id) id: vec3<u32>) { y[id.x] += a * x[id.x]; }
";

/// What is replaced by what, in the document or in the kernel; the one with two `§` has the mistake.
type Edits = &'static [(&'static str, &'static str)];

/// What takes the inputs away.
const NO_V: (&str, &str) = (r#"<value id="v" value="[1, 2]" returntype="Float32Array"/>"#, "");
const NO_W: (&str, &str) = (r#"<value id="w" value="[3, 4]" returntype="Float32Array"/>"#, "");
const NO_N: (&str, &str) = (r#"<value id="n" value="2" returntype="Number"/>"#, "");
/// The ports.
const NO_X: (&str, &str) = (r#"<parameter id="x" paramtype="Float32Array"/>"#, "");
const NO_Y: (&str, &str) = (r#"<parameter id="y" paramtype="Float32Array"/>"#, "");
const NO_A: (&str, &str) = (r#"<parameter id="a" paramtype="Number"/>"#, "");
/// And the edges between them.
const NO_VX: (&str, &str) = (r#"<edge source="v" dest="j" paramdest="x"/>"#, "");
const NO_WY: (&str, &str) = (r#"<edge source="w" dest="j" paramdest="y"/>"#, "");
const NO_NA: (&str, &str) = (r#"<edge source="n" dest="j" paramdest="a"/>"#, "");
/// The places where most mistakes are told.
const AT_ENTRY: (&str, &str) = ("fn axpy", "fn §axpy§");
const AT_SRC: (&str, &str) = ("src=\"axpy\"", "src=\"§axpy§\"");

const X: &str = "var<storage, read> x: array<f32>;";
/// As many arrays as every device takes, with `x` and `y`, and one more.
const MANY: &str = "@group(0) @binding(3) var<storage> b: array<f32>;
@group(0) @binding(4) var<storage> c: array<f32>;
@group(0) @binding(5) var<storage> d: array<f32>;
@group(0) @binding(6) var<storage> e: array<f32>;
@group(0) @binding(7) var<storage> f: array<f32>;
@group(0) @binding(8) var<storage> g: array<f32>;
@group(0) @binding(9) §var<storage> h: array<f32>;§
@compute";
const POOL: &str = r#"<value id="list" value="[1]" returntype="Array"/>
    <pool id="n" returntype="Number">
      <parameters><parameter id="all" paramtype="Array"/></parameters>
      <processor id="one" src="Code" returntype="Number">
        <parameters><parameter id="e" paramtype="Number"/></parameters>
      </processor>
      <reducer id="red" jobtype="webcl" src="§axpy§" returntype="Number">
        <parameters><parameter id="r" paramtype="Array"/></parameters>
      </reducer>
    </pool>"#;

const PROCESSOR: &str = r#"<value id="list" value="[1]" returntype="Array"/>
    <pool id="n" returntype="Number">
      <parameters><parameter id="all" paramtype="Array"/></parameters>
      <processor id="one" jobtype="webcl" src="§axpy.wgsl§" returntype="Float32Array">
        <parameters><parameter id="x" paramtype="Float32Array"/></parameters>
      </processor>
      <reducer id="red" src="Code" returntype="Number">
        <parameters><parameter id="r" paramtype="Array"/></parameters>
      </reducer>
    </pool>"#;

/// Code, edits of both files, words of the message or the help.
pub(crate) const JOBS: &[(&str, Edits, &str)] = &[
    (
        "W0192",
        &[("@compute", "@compute @workgroup_size(1) fn other() {}\n@compute"), AT_ENTRY],
        "`other` and `axpy` are both `@compute`: which one is the job? give each a file of its own",
    ),
    (
        "W0192",
        &[("(64)", "(8, 4)"), AT_ENTRY],
        "8 x 4 x 1; the work items of a job are in one direction write `@workgroup_size(32)`",
    ),
    (
        "W0192",
        &[("@binding(2) var", "@binding(1) §var"), ("a: f32;", "a: f32;§"), ("a * x[id.x]", "x[id.x]")],
        "`a` is binding 1, and so is `y` give each a number of its own",
    ),
    (
        "W0192",
        &[("read_write", "read"), ("y[id.x] +=", "_ ="), AT_ENTRY],
        "no result: there is no binding `var<storage, read_write>`",
    ),
    (
        "W0192",
        &[
            ("var<storage, read> x", "var<storage, read_write> x"),
            ("var<storage, read_write> y: array<f32>;", "§var<storage, read_write> y: array<f32>;§"),
        ],
        "`y` is `read_write`, and so is `x`: one of them can be the result make the others",
    ),
    (
        "W0192",
        &[(X, "§var<storage, read> x: array<f32, 4>;§")],
        "`x` is no array of numbers write `array<..>` of f32",
    ),
    (
        "W0192",
        &[(X, "§var<storage, read> x: array<vec3<f32>>;§"), ("a * x[id.x]", "a * x[id.x].x")],
        "`x` is an array of vectors of three, which take the room of four write vec4",
    ),
    (
        "W0192",
        &[("var<uniform> a: f32;", "§var<uniform> a: mat2x2<f32>;§"), ("a * x[id.x]", "x[id.x]")],
        "`a` is neither a number nor a vector write f32",
    ),
    (
        "W0192",
        &[("@compute", MANY)],
        "`h` is one of more than 8 arrays; not every device takes them join some of them into one",
    ),
    (
        "W0193",
        &[("id=\"x\"", "id=\"§xx§\""), ("paramdest=\"x\"", "paramdest=\"xx\"")],
        "the bindings of `axpy.wgsl` are x, y, a, but the ports of `j` are xx, y, a did you mean `x`?",
    ),
    (
        "W0193",
        &[("id=\"x\"", "id=\"§left§\""), ("paramdest=\"x\"", "paramdest=\"left\"")],
        "but the ports of `j` are left, y, a rename it to `x`",
    ),
    ("W0193", &[NO_N, NO_A, NO_NA, AT_SRC], "but the ports of `j` are x, y add a port `a` of type Number"),
    (
        "W0193",
        &[("id=\"x\"", "id=\"later\""), ("id=\"y\"", "id=\"§x§\""), ("id=\"later\"", "id=\"y\"")],
        "but the ports of `j` are y, x, a inputs are passed in the order of the ports",
    ),
    (
        "W0193",
        &[
            NO_V,
            NO_W,
            NO_X,
            NO_Y,
            NO_VX,
            NO_WY,
            ("@group(0) @binding(0) var<storage, read> x: array<f32>;", "const x = 1.0;"),
            ("x[id.x]", "x"),
            AT_SRC,
        ],
        "nothing says how many elements `y` in `axpy.wgsl` has add a port `y` of type Float32Array",
    ),
    (
        "W0193",
        &[(NO_N.0, PROCESSOR), ("</edges>", "<edge source=\"list\" dest=\"n\"/></edges>")],
        "but the ports of `one` are x a processor has one port: let the kernel have one input",
    ),
    (
        "W0194",
        &[
            ("id=\"x\" paramtype=\"Float32Array\"", "id=\"x\" paramtype=\"§Array§\""),
            ("value=\"[1, 2]\" returntype=\"Float32Array\"", "value=\"[1, 2]\" returntype=\"Array\""),
        ],
        "the port `x` is of type Array, but in `axpy.wgsl` it is declared as array<f32> write",
    ),
    (
        "W0194",
        &[
            ("a: f32", "a: vec2<i32>"),
            ("a * x[id.x]", "x[id.x]"),
            ("paramtype=\"Number\"", "paramtype=\"§Number§\""),
        ],
        "it is declared as vec2<i32> write `paramtype=\"Int32Array\"`",
    ),
    (
        "W0194",
        &[("src=\"axpy\" returntype=\"Float32Array\"", "src=\"axpy\" returntype=\"§Float64Array§\"")],
        "`j` returns Float64Array, but its result is `y` in `axpy.wgsl`, array<f32> write `returntype=",
    ),
    (
        "W0195",
        &[(NO_N.0, POOL), ("</edges>", "<edge source=\"list\" dest=\"n\"/></edges>")],
        "the reducer `red` is a kernel, which takes no Array write the reducer in JavaScript or as",
    ),
];

/// The document and the kernel after the edits, marks and all.
fn edited(edits: &[(&str, &str)]) -> (String, String) {
    edits.iter().fold((DOCUMENT.to_owned(), KERNEL.to_owned()), |(document, kernel), (find, replace)| {
        assert!(document.contains(find) != kernel.contains(find), "{find} is in one of both");
        (document.replacen(find, replace, 1), kernel.replacen(find, replace, 1))
    })
}

fn diagnostics_of(document: &str, kernel: &str) -> Vec<Diagnostic> {
    problems(&bundle(&[
        ("workflow.xml", document.as_bytes()),
        ("axpy.wgsl", kernel.as_bytes()),
        ("Code.js", JOB),
    ]))
}

#[test]
pub(crate) fn each_mistake_is_told_once_at_its_place() {
    for (id, edits, words) in JOBS {
        let (document, kernel) = edited(edits);
        let plain = |text: &str| text.replace('§', "");
        let found = diagnostics_of(&plain(&document), &plain(&kernel));
        let (file, marked) =
            if document.contains('§') { ("workflow.xml", document) } else { ("axpy.wgsl", kernel) };
        let places: Vec<_> = found.iter().map(|found| (found.code, &*found.file, Span::of(found))).collect();
        assert_eq!(places, [(*id, file, unmark(&marked).0)], "{marked}\n{}", listed(&found));
        let text = format!("{} {}", found[0].message, found[0].help.as_deref().unwrap_or_default());
        assert!(text.contains(words), "{words:?} is expected in {text:?}");
    }
}

#[test]
fn a_kernel_is_a_job_where_no_script_has_its_name() {
    for (src, others, is_kernel) in [
        ("axpy", &[][..], true),
        ("axpy.wgsl", &[][..], true),
        ("axpy", &[("axpy.js", JOB)][..], false),
        ("axpy.wgsl", &[("axpy.js", JOB)][..], true),
    ] {
        let document = DOCUMENT.replace("src=\"axpy\"", &format!("src=\"{src}\""));
        let files =
            [&[("workflow.xml", document.as_bytes()), ("axpy.wgsl", KERNEL.as_bytes())], others].concat();
        let plans = [
            load(&bundle(&files)),
            load_with(&bundle(&files), Circumstances::of_kernels(&weevil_kernels::check_wgsl)),
        ];
        for loaded in plans {
            let plan = loaded.unwrap_or_else(|found| panic!("{src}: {}", listed(&found))).plan;
            let NodeBody::Job(job) = &plan.node(plan.final_node()).body else { panic!("a job is expected") };
            assert_eq!((job.is_kernel(), job.repeatable), (is_kernel, false), "{src} {others:?}");
        }
    }
}

#[test]
fn what_a_kernel_may_be_passes() {
    for edits in [
        // The result is no port: as many zeros as the largest input has elements.
        &[
            ("<parameter id=\"y\" paramtype=\"Float32Array\"/>", ""),
            ("<edge source=\"w\" dest=\"j\" paramdest=\"y\"/>", ""),
            ("<value id=\"w\" value=\"[3, 4]\" returntype=\"Float32Array\"/>", ""),
        ][..],
        &[("x: array<f32>", "x: array<vec4<f32>>"), ("a * x[id.x]", "a * x[id.x].x")],
        // Numbers of bindings may have gaps.
        &[("@binding(2)", "@binding(40)")],
        &[("a: f32", "a: u32"), ("a * x[id.x]", "f32(a) * x[id.x]")],
    ] {
        let (document, kernel) = edited(edits);
        let found = diagnostics_of(&document, &kernel);
        assert_eq!(found, [], "{}", listed(&found));
    }
}

/// A kernel that does not compile says nothing of its ports.
#[test]
fn a_kernel_with_mistakes_is_told_once_for_all_its_nodes() {
    let twice = DOCUMENT
        .replace("</nodes>", "<job id=\"k\" jobtype=\"webcl\" src=\"axpy\" returntype=\"Number\"/></nodes>");
    let found = diagnostics_of(&twice, &KERNEL.replace("a * x", "b * x"));
    assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), ["W0190"], "{}", listed(&found));
}
