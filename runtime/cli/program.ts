/**
 * The contract of every program behind `azimuth <program>`: takes the arguments after the program's name and resolves to
 * the exit code. An error that it throws is printed on one line of standard error; `exitCodes` has the code it ends with.
 */
export type Program = (argv: readonly string[]) => Promise<number>;
