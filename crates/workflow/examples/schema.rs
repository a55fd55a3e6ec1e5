//! Prints the table of the language for the console's editor; `cargo xtask codegen` writes it to its place. It never writes a file.

fn main() {
    print!("{}", weevil_workflow::schema_typescript());
}
