{}
/x/.test("");
function weevil_main( { }