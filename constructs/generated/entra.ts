// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `SecurityGroup`. */
export interface SecurityGroupProps extends KindProps<'entra.azure.com/SecurityGroup'> {}

/**
 * A group of Microsoft Entra ID.
 * `export()` gives `entraID`.
 */
export class SecurityGroup extends AzureResource<'entra.azure.com/SecurityGroup'> {
  constructor(scope: Construct, id: string, props: SecurityGroupProps) {
    super(scope, id, { ...props, kind: 'entra.azure.com/SecurityGroup' });
  }
}
