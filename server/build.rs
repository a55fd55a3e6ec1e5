//! Rebuilds the server when the pages it embeds have changed: a new file name is invisible to the compiler.

fn main() {
    println!("cargo:rerun-if-changed=../web/dist");
}
