/** What tests of constructs share: synthesis, validation, and the search for a manifest. */
import { type Chart, Testing } from 'cdk8s';

// biome-ignore lint/suspicious/noExplicitAny: manifests of any kind
export type Manifest = any;

export const program = { namespace: 'azimuth-system', image: 'azimuth:test', version: 'test' };

export function synth(make: (chart: Chart) => void): Manifest[] {
  const chart = Testing.chart();
  make(chart);
  return Testing.synth(chart);
}
export const problems = (make: (chart: Chart) => void) => {
  const chart = Testing.chart();
  make(chart);
  return chart.node.findAll().flatMap((node) => node.node.validate());
};
export const kindOf = (manifests: Manifest[], kind: string) => manifests.find((manifest) => manifest.kind === kind);
