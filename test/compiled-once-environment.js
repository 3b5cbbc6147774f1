import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

// Jest compiles all modules again for each test file, its own included: a tenth of a run's processor time. A worker runs
// one file at a time, so the next file can take the code of the last one; each evaluates it in its own context.
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

const modules = new Map();
vm.SourceTextModule = new Proxy(vm.SourceTextModule, {
  construct(Module, [code, options]) {
    const known = modules.get(options.identifier);
    if (known?.code === code) {
      try {
        return new Module(code, { ...options, cachedData: known.compiled });
      } catch {
        // V8 takes no code that it compiled before a test changed V8's flags.
      }
    }
    const module = new Module(code, options);
    modules.set(options.identifier, { code, compiled: module.createCachedData() });
    return module;
  },
});

/** The environment of all tests: node's, in which a worker compiles each module once. */
export default TestEnvironment;
