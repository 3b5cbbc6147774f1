/**
 * The cdk8s app: writes dist/*.k8s.yaml, the same bytes for the same input. Environment:
 *   AZIMUTH_IMAGE       the image that the cluster pulls     (default: azimuth:<version of package.json>)
 *   AZIMUTH_PROGRAMS    some of operator, pod-identity and key-vault-volumes, separated by ; (default: operator, since pod
 *                       identities take the machine's metadata endpoint away from pods)
 *   AZIMUTH_FEDERATED_ACCOUNTS  service accounts whose pods use identities of type 3, separated by ;, or * (default: none)
 *   AZIMUTH_KINDS       the kinds of Azure resources to serve (default: *, all of them), as globs over group/Kind:
 *                       resources.azure.com/*;storage.azure.com/*
 *   AZIMUTH_VERSIONS    all, newest or used:<file or folder>: which versions of the kinds to serve; the last is the
 *                       newest and those that the manifests there name (default: all)
 *   AZIMUTH_DASHBOARD   true: a Grafana dashboard of the operator too, in a ConfigMap (default: false)
 *   KUBERNETES_VERSION  oldest API server to serve           (default: 1.27)
 */
import { readFileSync } from 'node:fs';
import { App } from 'cdk8s';
import { Platform } from './constructs/platform.ts';
import { programsOf } from './constructs/program-list.ts';
import { versionsOf } from './constructs/version-choice.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

const app = new App();
new Platform(app, 'azimuth', {
  version,
  image: process.env['AZIMUTH_IMAGE'] ?? `azimuth:${version}`,
  kinds: process.env['AZIMUTH_KINDS'] || undefined,
  versions: versionsOf(process.env['AZIMUTH_VERSIONS'] || 'all'),
  dashboard: process.env['AZIMUTH_DASHBOARD'] === 'true' ? {} : false,
  kubernetesVersion: process.env['KUBERNETES_VERSION'],
  ...programsOf(process.env['AZIMUTH_PROGRAMS'] || 'operator', process.env['AZIMUTH_FEDERATED_ACCOUNTS']),
});
app.synth();
