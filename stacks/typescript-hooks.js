import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

/** The hook `load` of Node: TypeScript becomes JavaScript for the oldest Node that package.json allows. */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !/\.ts(\?|$)/.test(url)) return nextLoad(url, context);
  const sourcefile = fileURLToPath(url);
  const text = await readFile(sourcefile, 'utf8');
  const options = { loader: 'ts', format: 'esm', target: 'node20', sourcefile, sourcemap: 'inline' };
  const { code } = await transform(text, options);
  return { format: 'module', source: code, shortCircuit: true };
}
