import { execFileSync } from 'node:child_process';
import { cleanEnvironment, type Release } from './source.ts';

/** Writes azimuth-VERSION.tgz, the package as `npm pack` makes it: npm gives its files one time and no owner. */
export function writeNpmPackage({ folder }: Pick<Release, 'folder'>): void {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: cleanEnvironment(),
  });
}
