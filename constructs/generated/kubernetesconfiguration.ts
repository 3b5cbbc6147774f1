// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Extension`. */
export interface ExtensionProps extends KindProps<'kubernetesconfiguration.azure.com/Extension'> {}

/**
 * Microsoft.KubernetesConfiguration/extensions, on any Azure resource.
 * `export()` gives `principalId`.
 * Versions of Azure's API: 2024-11-01, 2023-05-01.
 */
export class Extension extends AzureResource<'kubernetesconfiguration.azure.com/Extension'> {
  constructor(scope: Construct, id: string, props: ExtensionProps) {
    super(scope, id, { ...props, kind: 'kubernetesconfiguration.azure.com/Extension' });
  }
}

/** Properties of `FluxConfiguration`. */
export interface FluxConfigurationProps extends KindProps<'kubernetesconfiguration.azure.com/FluxConfiguration'> {}

/**
 * Microsoft.KubernetesConfiguration/fluxConfigurations, on any Azure resource.
 * Versions of Azure's API: 2024-11-01, 2023-05-01.
 */
export class FluxConfiguration extends AzureResource<'kubernetesconfiguration.azure.com/FluxConfiguration'> {
  constructor(scope: Construct, id: string, props: FluxConfigurationProps) {
    super(scope, id, { ...props, kind: 'kubernetesconfiguration.azure.com/FluxConfiguration' });
  }
}
