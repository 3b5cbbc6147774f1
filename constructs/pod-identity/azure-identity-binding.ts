import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { availabilityProblem } from '../../runtime/api/pod-identity/availability.ts';
import { type Availability, azureIdentityBinding } from '../../runtime/api/pod-identity/azure-identity-binding.ts';
import { bindingLabel } from '../../runtime/api/pod-identity/matching.ts';
import { validate } from '../../runtime/api/validate.ts';
import type { VolumePolicy } from '../../runtime/api/volumes/policy.ts';
import { checkName } from '../private/unique-names.ts';
import type { AzureIdentity } from './azure-identity.ts';

/** Properties of `AzureIdentityBinding`. */
export interface AzureIdentityBindingProps {
  /** The identity to assign; the binding is in its namespace. */
  readonly identity: Pick<AzureIdentity, 'name' | 'namespace'>;

  /** The value of the pod label `aadpodidbinding`. */
  readonly selector: string;

  /**
   * Its name.
   *
   * @default the construct's id in lower case
   */
  readonly name?: string;

  /**
   * Of several bindings of a pod, the one with the highest weight serves requests that name no identity.
   *
   * @default 0
   */
  readonly weight?: number;

  /**
   * When the identity may be used.
   *
   * @default always
   */
  readonly availability?: Availability;

  /**
   * Limits the key vault volumes of the pods, whatever the identity could read.
   *
   * @default unlimited
   */
  readonly volumes?: VolumePolicy;
}

/** Assigns an AzureIdentity to the pods with a label value. */
export class AzureIdentityBinding extends Construct {
  readonly name: string;
  readonly namespace: string;
  readonly selector: string;

  constructor(scope: Construct, id: string, props: AzureIdentityBindingProps) {
    super(scope, id);
    const { identity, selector, weight, availability, volumes } = props;
    this.name = props.name ?? id.toLowerCase();
    this.namespace = identity.namespace;
    this.selector = selector;
    const manifest = {
      apiVersion: 'aadpodidentity.k8s.io/v1',
      kind: azureIdentityBinding.kind,
      metadata: { name: this.name, namespace: this.namespace },
      spec: {
        azureIdentity: identity.name,
        selector,
        ...(weight !== undefined && { weight }),
        ...(availability !== undefined && { availability }),
        ...(volumes !== undefined && { volumes }),
      },
    };
    new ApiObject(this, 'Resource', manifest);
    checkName(
      this,
      `\`name\`, which is the id in lower case by default, or the label \`${bindingLabel}\` of the workload,`,
    );
    this.node.addValidation({
      validate: () => [
        ...problems(selector),
        ...opening(
          availability,
          validate(azureIdentityBinding, manifest).map(({ message }) => message),
        ),
      ],
    });
  }
}

/** Checks only a well-formed availability for whether it ever opens. */
function opening(availability: Availability | undefined, malformed: string[]): string[] {
  const problem = malformed.length === 0 && availability ? availabilityProblem(availability) : undefined;
  return problem === undefined ? malformed : [`Expected \`availability\` to be one that opens: ${problem}`];
}

function problems(selector: string): string[] {
  if (/^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/.test(selector)) return [];
  return [`Expected \`selector\` to be a label value that is not empty, got \`${selector}\``];
}
