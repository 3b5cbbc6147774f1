/** The admission policy, and its binding, that holds `approvedBy` of approvals equal to the caller's user name. */
export const approvalPolicyName = 'azimuth-approvals';
