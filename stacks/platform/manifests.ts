import { ConfigGroup } from '@pulumi/kubernetes/yaml/v2/index.js';
import * as pulumi from '@pulumi/pulumi';
import { App, Chart } from 'cdk8s';
import { Platform, type PlatformProps } from '../../constructs/platform.ts';

/** The charts that `npm run synth` writes, as Pulumi resources: the definitions first, then the programs. */
export class Manifests extends pulumi.ComponentResource {
  readonly namespace: string;
  readonly operatorServiceAccount: string;

  constructor(name: string, props: PlatformProps, options?: pulumi.ComponentResourceOptions) {
    super('azimuth:index:Manifests', name, {}, options);
    const platform = new Platform(new App(), name, props);
    this.namespace = platform.namespace;
    const { operator } = platform;
    if (!operator) throw new Error('Expected `operator` not to be false: this stack creates its identity');
    this.operatorServiceAccount = operator.serviceAccountName;

    const definitions = new ConfigGroup(`${name}-crds`, { objs: Chart.of(platform.crds).toJson() }, { parent: this });
    new ConfigGroup(
      `${name}-programs`,
      { objs: Chart.of(operator).toJson() },
      { parent: this, dependsOn: [definitions] },
    );
    this.registerOutputs({});
  }
}
