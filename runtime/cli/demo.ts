import { once } from 'node:events';
import nodeModule from 'node:module';
import { join, relative } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { defineProgram, type Flag } from '../base/program.ts';
import { bool } from '../base/settings.ts';
import { loadKubeConnection } from '../kube/config/kubeconfig.ts';
import { openLocalPage } from '../ui/open-page.ts';
import type { DemoSummary } from './demo/demo.ts';
import { createProgress } from './demo/progress.ts';
import type { Program } from './program.ts';
import { lockFreeDirectory } from './sandbox/directory-lock.ts';

const LIMIT_MS = 600_000;

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
  // The child programs reuse the code that this process compiles from here on. Node 20 does not have it.
  nodeModule.enableCompileCache?.(join(process.cwd(), '.azimuth', 'cache'));
  const { runDemo } = await import('./demo/demo.ts');
  const started = performance.now();
  try {
    await runDemo({
      progress: createProgress(process.stdout),
      directory,
      signal: stop.signal,
      whileUp: async (summary) => {
        clearTimeout(timer);
        const seconds = (performance.now() - started) / 1000;
        if (!config.keep) {
          process.stdout.write(report(summary, seconds));
          return;
        }
        const page = await openLocalPage(loadKubeConnection({ kubeconfig: summary.kubeconfig }));
        process.stdout.write(report(summary, seconds, page.address));
        if (!stop.signal.aborted) await once(stop.signal, 'abort');
        await page.close();
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

/** `page` is the address of the page, where everything stays up. */
function report(summary: DemoSummary, seconds: number, page?: string): string {
  const kubeconfig = relative(process.cwd(), summary.kubeconfig);
  const epilogue = page
    ? `Look around (Ctrl-C ends it all):
  kubectl --kubeconfig ${kubeconfig} get azure,secrets,configmaps -n demo
  kubectl --kubeconfig ${kubeconfig} describe storageaccount photos -n demo
  kubectl --kubeconfig ${kubeconfig} explain storageaccount.spec.operatorSpec
  kubectl --kubeconfig ${kubeconfig} describe azureidentitybinding photos -n demo
  npx azimuth tree --kubeconfig ${kubeconfig} -n demo
  npx azimuth watch --kubeconfig ${kubeconfig} -n demo sites
The page with everything: ${page}
`
    : 'Run it with --keep (npm start -- --keep) to look around with kubectl and in the browser.\n';
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
