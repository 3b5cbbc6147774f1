import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Files, tar, tarGz } from './archive.ts';
import { synthesize } from './manifests.ts';
import { OciLayout } from './oci.ts';
import type { Release } from './source.ts';

/** Writes azimuth-chart-VERSION.tgz, and the same as an OCI layout in an archive, which registry tools copy. */
export function writeChart({ folder, version, image, time }: Release): void {
  const files = synthesize(['--format', 'helm'], {}, (output) => {
    const chart = join(output, 'helm', 'azimuth');
    const paths = globSync('**/*.{yaml,json,tpl,txt}', { cwd: chart });
    return Object.fromEntries(paths.map((path) => [path, readFileSync(join(chart, path), 'utf8')]));
  });
  const values = files['values.yaml'] ?? '';
  const placed = values.replace(/^( {2}repository: )azimuth$/m, `$1${image}`);
  if (placed === values) throw new Error('The values of the chart have no image.repository with the value azimuth');
  const all = { ...files, 'values.yaml': placed };
  const archive = tarGz(Object.fromEntries(Object.entries(all).map(([path, text]) => [`azimuth/${path}`, text])), time);
  writeFileSync(join(folder, `azimuth-chart-${version}.tgz`), archive);
  const layout = ociLayout(archive, JSON.stringify(parse(files['Chart.yaml'] ?? '')), version);
  writeFileSync(join(folder, `azimuth-chart-${version}.oci.tar`), tar(layout, time));
}

/** The files of an OCI image layout with the chart under a tag, with Helm's media types. */
export function ociLayout(chart: Uint8Array, config: string, tag: string): Files {
  const layout = new OciLayout();
  const manifest = layout.addManifest(layout.add('application/vnd.cncf.helm.config.v1+json', config), [
    layout.add('application/vnd.cncf.helm.chart.content.v1.tar+gzip', chart),
  ]);
  return layout.files(manifest, tag);
}
