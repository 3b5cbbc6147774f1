import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import { join, relative } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { defineProgram, type Flag } from '../base/program.ts';
import { bool } from '../base/settings.ts';
import type { DemoSummary } from './demo/demo.ts';
import { createProgress } from './demo/progress.ts';
import { lockFreeDirectory } from './directory-lock.ts';
import type { Program } from './program.ts';

const LIMIT_MS = 160_000;

const program = defineProgram({
  name: 'demo',
  description: [
    'Synthesizes the manifests, applies them to an embedded Kubernetes, runs the operator against an embedded Azure, and',
    'applies an application that waits for a Secret, until the application starts. Then gives the identity of the',
    'application to a pod, which signs in to Azure with an unmodified SDK, and objects of a vault as files to another pod.',
    'Needs nothing but Node.js.',
  ],
  flags: {
    keep: {
      flag: 'keep',
      env: 'DEMO_KEEP',
      default: 'false',
      boolean: true,
      meaning: 'leave everything running until Ctrl-C, for kubectl',
      parse: bool,
    },
  } as const satisfies Record<string, Flag>,
  complete: (values) => values,
});

/** `azimuth demo`; resolves to the exit code. */
export const demo: Program = async (argv) => {
  const config = program.read(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return 0;
  }
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Error('interrupted'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const timer = setTimeout(() => stop.abort(new Error(`not done after ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  // Another demonstration with --keep may run at the same time.
  const { path: directory, release } = lockFreeDirectory(join(process.cwd(), '.azimuth'), 'demo');
  // The child programs reuse the code that this process compiles from here on.
  enableCompileCache(join(process.cwd(), '.azimuth', 'cache'));
  const { runDemo } = await import('./demo/demo.ts');
  const started = performance.now();
  try {
    await runDemo({
      progress: createProgress(process.stdout),
      directory,
      signal: stop.signal,
      whileUp: async (summary) => {
        clearTimeout(timer);
        process.stdout.write(report(summary, (performance.now() - started) / 1000, config.keep));
        if (config.keep && !stop.signal.aborted) await once(stop.signal, 'abort');
      },
    });
    return 0;
  } catch (error) {
    process.stderr.write(`The demonstration failed: ${messageOf(error)}\n`);
    return 1;
  } finally {
    release();
    clearTimeout(timer);
    process.removeListener('SIGINT', interrupt).removeListener('SIGTERM', interrupt);
  }
};

function report(summary: DemoSummary, seconds: number, keep: boolean): string {
  const kubeconfig = relative(process.cwd(), summary.kubeconfig);
  const epilogue = keep
    ? `Look around (Ctrl-C ends it all):
  kubectl --kubeconfig ${kubeconfig} get azure,secrets,configmaps -n demo
  kubectl --kubeconfig ${kubeconfig} describe storageaccount photos -n demo
  kubectl --kubeconfig ${kubeconfig} explain storageaccount.spec.operatorSpec
  kubectl --kubeconfig ${kubeconfig} describe azureidentitybinding photos -n demo
`
    : 'Run it with --keep (npm start -- --keep) to look around with kubectl.\n';
  return `
Done in ${seconds.toFixed(1)} s: ${summary.resources} Azure resources and an assigned identity by ${summary.azureWrites} writes to Azure, ${
    summary.reusedTokens === 0
      ? 'each with a token of its own'
      : `${summary.reusedTokens} of them with a token used before`
  }.
Manifests: ${summary.manifests.join(', ')}
Logs: ${Object.values(summary.programs)
    .map(({ log }) => relative(process.cwd(), log))
    .join(', ')}
${epilogue}`;
}
