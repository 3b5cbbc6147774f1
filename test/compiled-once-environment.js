import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

// Jest compiles all CommonJS modules again for each test file, its own included: a tenth of a run's processor time. A worker
// runs one file at a time, so the next file can take the code of the last one; each evaluates it in its own context.
const scripts = new Map();
vm.compileFunction = (code, parameters, { filename, parsingContext, importModuleDynamically }) => {
  const head = `(function (${parameters}) {`;
  const text = `${head}${code}\n})`;
  let known = scripts.get(filename);
  if (known?.text !== text) {
    known = { text };
    const load = (...request) => known.load(...request);
    known.script = new vm.Script(text, { filename, columnOffset: -head.length, importModuleDynamically: load });
    scripts.set(filename, known);
  }
  known.load = importModuleDynamically;
  return known.script.runInContext(parsingContext);
};

/** The environment of all tests: node's, in which a worker compiles each CommonJS module once. */
export default TestEnvironment;
