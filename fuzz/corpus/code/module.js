import x from "y"
export function weevil_main(a) { return a }