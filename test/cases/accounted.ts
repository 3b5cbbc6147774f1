/** Suites of the cases in prose, or need a whole program: the tests that hold each, by file and title. */
export const heldElsewhere: Readonly<Record<string, readonly (readonly [file: string, title: string])[]>> = {
  immutable_identity: [
    [
      'identity/assignments/foreign-changes',
      'identities that are not ours stay on a machine, and so do immutable ones',
    ],
  ],
  remove_user_identity: [
    ['identity/machines/refusals.slow', 'identities that do not exist are split off, and the rest goes through'],
    ['identity/rules', 'attachment references differ by machine and identity, whatever the case of either'],
  ],
  retry_client: [
    ['identity/machines/refusals.slow', 'identities that do not exist are split off, and the rest goes through'],
    ['identity/machines/machines.slow', 'a throttled machine waits for Retry-After, and no change is lost'],
  ],
  arm_request_shape: [
    ['identity/assignment', 'a pod with a binding gets the identity on its machine'],
    ['identity/machines/machines.slow', 'a long-running operation is awaited before the identity counts as attached'],
  ],
  finalizer: [
    [
      'identity/assignments/foreign-changes',
      'what AAD Pod Identity left is taken over, and what it attached stays on the machine',
    ],
  ],
  status_patch: [['identity/assignment', 'a pod with a binding gets the identity on its machine']],
  // Upstream compares resource versions, and so breaks tokens with each edited label.
  assigned_id_diff: [
    ['identity/assignment', 'an edited label or annotation of an identity or binding disturbs nothing'],
    ['identity/assignment', 'another resource id is attached before the old one goes, and the pod is served all along'],
    ['identity/assignments/foreign-changes', 'an assignment that was left Unassigned or Created is corrected'],
  ],
  arm_list_membership: [
    ['identity/assignment', 'types that no machine needs are assigned without a request to Azure'],
    ['identity/assignment', 'pods of one scale set share an attachment, which goes with the last of them'],
    [
      'identity/assignments/foreign-changes',
      'identities that are not ours stay on a machine, and so do immutable ones',
    ],
  ],
  identity_in_use: [
    ['identity/assignment', 'pods of one scale set share an attachment, which goes with the last of them'],
  ],
  // Upstream compares with regard to case and asks ARM in vain every three minutes.
  assignment_reconcile_diff: [
    ['identity/machines/machines.slow', 'what somebody detached by hand is attached again'],
    ['identity/rules', 'what is attached goes before what is detached, and what changes nothing is left out'],
  ],
  assignment_reconcile_state: [['identity/machines/machines.slow', 'what somebody detached by hand is attached again']],
  mic_scenarios: [
    ['identity/assignment', 'a pod with a binding gets the identity on its machine'],
    ['identity/assignment', 'a changed label exchanges the identity of a pod'],
    ['identity/assignment', 'pods of one scale set share an attachment, which goes with the last of them'],
    [
      'identity/machines/refusals.slow',
      'a removal that Azure refuses has an event of the binding, and is tried until it succeeds',
    ],
    ['identity/machines/machines.slow', 'a storm of pods on one machine takes few PATCHes'],
    ['identity/process.slow', 'releases the lease at SIGTERM'],
  ],
  mic_events: [
    ['identity/assignment', 'a pod with a binding gets the identity on its machine'],
    ['identity/assignments/foreign-changes', 'an assignment on a node that is gone goes with an event'],
  ],
  // Upstream excepts whatever ReplicaSet begins with `mic` in one namespace: known defect.
  is_mic_shortcut: [['nmi/cases/answers.slow', 'is_mic_shortcut: no pod is excepted for the name of its ReplicaSet']],
  msi_handler_outcomes: [
    ['nmi/cases/answers.slow', 'msi_handler_outcomes and blocked_and_invalid: statuses and bodies'],
  ],
  host_handler_outcomes: [
    ['nmi/cases/answers.slow', 'host_handler_outcomes: statuses and bodies, in the order of evaluation'],
    // Upstream asks for no proof of who calls.
    ['nmi/cases/answers.slow', 'host_handler_outcomes: callers of the old kind are admitted by a flag'],
  ],
  blocked_and_invalid: [
    ['nmi/cases/answers.slow', 'msi_handler_outcomes and blocked_and_invalid: statuses and bodies'],
  ],
  standard_retry_timing: [['nmi/cases/identities.slow', 'standard_retry_timing: with %s the end of the wait is %s']],
  pod_lookup_by_ip: [
    ['nmi/pods/pod-by-address', 'each source address is the pod that has it'],
    ['nmi/pods/pod-by-address', 'an address that was given on belongs to the new pod'],
  ],
  // Other rules, which do not need route_localnet: ADR 0010.
  iptables: [
    ['nmi/redirection', 'guards come before the translation, and the target is no address of 127.0.0.0/8'],
    ['nmi/redirection', 'rules are added once, verified without a write, repaired where they changed, and removed'],
  ],
  iptables_e2e: [['nmi/network.slow', '--cleanup removes every trace, twice without harm']],
  imds_upstream_request: [
    ['azure/identity/imds', 'a token is one GET with the Metadata header'],
    ['nmi/faults.slow', 'the metadata endpoint answers %s: the pod gets %3$d'],
  ],
  aad_sp_request: [
    ['nmi/tokens/credentials', 'a service principal gets tokens of Entra with the secret, for each of its tenants'],
    ['nmi/rotation', 'a certificate in PKCS#12 signs the request'],
  ],
  health_probe: [
    ['identity/process.slow', 'releases the lease at SIGTERM'],
    ['nmi/redirection', 'a command that fails leaves the daemon not ready, with the output of the command'],
  ],
  rbac: [['identity/permissions.slow', 'nothing they asked for was denied']],
  e2e: [
    ['nmi/tokens/identity-lookup', 'the identity is found by %s'],
    ['nmi/tokens/identity-lookup', 'deleting the binding takes the identity away at once, though it is still assigned'],
    ['nmi/tokens/credentials', 'an identity may change its client id and its type under a running pod'],
    ['nmi/tokens/identity-lookup', 'an excepted pod gets what the machine would get, by any of the ids'],
    ['nmi/network.slow', 'other requests reach the machine through the daemon, from the address of the node'],
    ['identity/assignment', 'a changed label exchanges the identity of a pod'],
    [
      'identity/assignments/foreign-changes',
      'identities that are not ours stay on a machine, and so do immutable ones',
    ],
    ['identity/conditions/ready-conditions', 'an invalid identity is given to nobody and costs nobody else anything'],
    ['identity/crash.slow', 'Ended at any write, before it is sent or after it is done'],
    ['identity/machines/machines.slow', 'what somebody detached by hand is attached again'],
  ],
};

/** Suites that nothing here answers to, and why. */
export const outside: Readonly<Record<string, string>> = {
  user_agent: 'requests to AAD and IMDS name no product; --custom-user-agent is accepted without effect',
  log_format: 'the log is JSON; --log-format is accepted without effect',
  token_error_class: 'classes of an error inside of upstream, which nobody sees',
  conversion_round_trip: 'there is one version of each kind and nothing to convert',
  wi_token_expiration: 'the webhook of Azure Workload Identity; here type 3 federates without a change to the pod',
  wi_client_tenant: 'the webhook of Azure Workload Identity',
  wi_skip_containers: 'the webhook of Azure Workload Identity',
  wi_env_vars: 'the webhook of Azure Workload Identity',
  wi_volume: 'the webhook of Azure Workload Identity',
  wi_volume_name: 'the webhook of Azure Workload Identity',
  wi_proxy_injection: 'the proxy of Azure Workload Identity',
  wi_handle: 'the webhook of Azure Workload Identity',
  wi_server_version: 'the webhook of Azure Workload Identity',
  wi_config: 'the webhook of Azure Workload Identity',
  wi_proxy_routes: 'the proxy of Azure Workload Identity',
  wi_proxy_requests: 'the proxy of Azure Workload Identity',
  wi_proxy_init_iptables: 'the proxy of Azure Workload Identity',
};

/** Rows where the opposite of upstream is right: what is expected in place of the row's members, and the reason. */
export const deviations: Readonly<Record<string, readonly [reason: string, expected: object]>> = {
  'resource_id_validation 4': ["upstream's expression is not anchored", { mic_valid: false }],
  'resource_id_validation 5': ['its dots match anything', { mic_valid: false }],
  'parse_provider_id 2': [
    'a resource that is no machine gets an event on the pod, without a request to ARM',
    { error: true },
  ],
  'extract_ids_from_arm_error 2': [
    'all ids that an error names are at fault, not only those of the first list',
    {
      ids: ['a', 'b'].map(
        (name) =>
          `/subscriptions/s/resourcegroups/r/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`,
      ),
    },
  ],
  'extract_ids_from_arm_error 3': [
    'ARM does not always quote',
    { ids: ['/subscriptions/s/resourcegroups/r/providers/Microsoft.ManagedIdentity/userAssignedIdentities/a'] },
  ],
  'set_user_identities 3': ['known defect: the system-assigned identity is stripped', { requires_patch: false }],
  'patch_batching 2': ['nothing to change takes no PATCH', { batches: [] }],
  'binding_match 7': ['known defect: a pod that ran to its end keeps the identity', { expected: [] }],
  'nmi_routes_extra 2': [
    'no other spelling of the token path reaches the machine',
    { handler: 'invalid', handler_when_blocking: 'invalid' },
  ],
  'nmi_routes_extra 10': ['blocked in every spelling', { handler_when_blocking: 'forbidden' }],
  'remote_addr_parse 1': ['IPv6 is served', { ip: '::1' }],
  'remote_addr_parse 6': ['an IPv4 address mapped into IPv6 is that address', { ip: '10.0.0.1' }],
  'cloud_environments 4': [
    'no name means the public cloud, as everywhere else',
    { mic_error: false, is: 'AzurePublicCloud' },
  ],
  'managed_get_identities 3': [
    'ids are compared without regard to case',
    { expect_identity: 'default/azid3', expect_error: false },
  ],
  'managed_binding_lookup 1': ['known defect: no label equals an empty selector', { expected: [] }],
  'metrics 4': ['there are no cycles: a change touches what it concerns', { outside: true }],
  'flags_nmi 0': [
    'the probe as in the manifests, and connections older than the rules always end',
    { 'http-probe-port': '8085', 'enable-conntrack-deletion': true },
  ],
};
