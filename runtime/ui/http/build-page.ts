import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const page = new URL('../page/', import.meta.url);
const path = (name: string) => fileURLToPath(new URL(name, page));

/** The texts of the page's files by name, made from `runtime/ui/page`. */
export async function buildPage(): Promise<Record<string, string>> {
  const { outputFiles } = await build({
    entryPoints: { page: path('main.ts'), layout: path('graph/layout-worker.ts') },
    outdir: '/',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const scripts = outputFiles.map(({ path: file, text }) => [file.split(/[/\\]/).at(-1) as string, text]);
  const others = await Promise.all(
    ['index.html', 'style.css'].map(async (name) => [name, await readFile(path(name), 'utf8')]),
  );
  return Object.fromEntries([...scripts, ...others]);
}
