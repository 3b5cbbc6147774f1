/**
 * The contract of every program behind `azimuth <program>`: takes the arguments after the program's name and resolves
 * to the exit code. A thrown error is printed on one line of standard error; `exitCodes` has its exit code.
 */
export type Program = (argv: readonly string[]) => Promise<number>;
