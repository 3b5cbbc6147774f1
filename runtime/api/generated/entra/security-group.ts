// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';

export interface SecurityGroupSpec {
  /**
   * 1 to 1024 characters.
   * @default Azure's own value
   */
  description?: string;
  /** 1 to 256 characters. */
  displayName: string;
  /**
   * Whether the group can have directory roles; fixed at its creation.
   * @default Azure's own value
   */
  isAssignableToRole?: boolean;
  /** 1 to 64 characters. */
  mailNickname: string;
  /** @default Azure's own value */
  membershipType?: 'assigned' | 'assignedm365' | 'enabled' | 'enabledm365';
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, 'entraID'> & {
    configmaps?: {
      entraID?: {
        annotations?: Record<string, string>;
        key: string;
        labels?: Record<string, string>;
        name: string;
      };
    };
    creationMode?: 'AdoptOrCreate' | 'AlwaysCreate';
  };
}

export interface SecurityGroup {
  spec: SecurityGroupSpec;
  status?: ArmStatus;
}
