import { ApiObject, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { approvalPolicyName } from '../../runtime/api/deployments/approval-policy.ts';

const validation = {
  expression:
    "request.operation == 'UPDATE' ? object.spec == oldObject.spec : !has(object.spec.approvedBy) || object.spec.approvedBy == request.userInfo.username",
  message: 'spec.approvedBy is the user name of whoever creates the approval, and does not change',
};

const spec = {
  failurePolicy: 'Fail',
  matchConstraints: {
    resourceRules: [
      {
        apiGroups: ['azimuth.dev'],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['computeapprovals', 'featureapprovals'],
        // The default, which the API server adds: an apply without it changes the list each time.
        scope: '*',
      },
    ],
  },
  validations: [validation],
};

/**
 * Holds `approvedBy` of approvals equal to the user name of whoever creates them, by a ValidatingAdmissionPolicy of the API
 * server (1.30 and later). The operator shows names as unverified while the policy is not there.
 */
export class ApprovalPolicy extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const binding = { policyName: approvalPolicyName, validationActions: ['Deny'] };
    for (const [kind, content] of [
      ['ValidatingAdmissionPolicy', spec],
      ['ValidatingAdmissionPolicyBinding', binding],
    ] as const) {
      const metadata = { name: approvalPolicyName };
      const made = new ApiObject(this, kind, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind,
        metadata,
        spec: content,
      });
      // Both are cluster-scoped: the namespace of the chart is not for them.
      if (made.metadata.namespace !== undefined) made.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
    }
  }
}
