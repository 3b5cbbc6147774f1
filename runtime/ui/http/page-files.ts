import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  /** Bytes, which all answers share. */
  readonly body: Buffer;
}

/** The files of the page by their path. */
export type PageFiles = Readonly<Record<string, PageFile>>;

const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' } as const;

/** Files of the page, by the name that the bundle of the image has beside its programs. */
const names = ['index.html', 'style.css', 'page.js', 'layout.js'] as const;
/** Where `npm run bundle` puts them; this file is then in the same directory as `page`. */
const bundled = new URL('./page/', import.meta.url);

/** The page: as the bundle has it, or made from the sources, which takes esbuild and about 100 ms. */
export async function loadPageFiles(): Promise<PageFiles> {
  const files = existsSync(new URL('page.js', bundled))
    ? await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, bundled), 'utf8')] as const))
    : Object.entries(await (await import('./build-page.ts')).buildPage());
  const entries = files.map(([name, body]): [string, PageFile] => {
    const type = `${types[name.split('.').at(-1) as keyof typeof types]}; charset=utf-8`;
    return [name === 'index.html' ? '/' : `/${name}`, { type, body: Buffer.from(body) }];
  });
  return Object.fromEntries(entries);
}
