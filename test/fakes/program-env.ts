/** The environment of programs that tests start: PATH, and the directory of Node's compile cache where the run has one. */
export function programEnv(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}
