/** A program with metrics. */
export type MonitoredProgram = 'operator' | 'identity' | 'nmi' | 'secrets' | 'volumes';

/** An alert of Prometheus. Each has a section in docs/guides/runbooks.md under its name. */
export interface Alert {
  readonly name: string;
  /** The programs with the metrics of the expression; the alert needs one of them. */
  readonly programs: readonly MonitoredProgram[];
  /** PromQL. */
  readonly expr: string;
  /** How long the expression holds before the alert fires. */
  readonly for: string;
  readonly severity: 'warning' | 'critical';
  /** One sentence, with the labels of the series. */
  readonly summary: string;
}

const controllers = ['operator', 'identity', 'secrets'] as const;

/** The alerts of all programs. */
export const alerts: readonly Alert[] = [
  {
    name: 'AzimuthProgramDown',
    programs: ['operator', 'identity', 'nmi', 'volumes', 'secrets'],
    // The job of a PodMonitor has its namespace and its name.
    expr: 'up{job=~"[^/]+/azimuth-(operator|identity|nmi|secrets|volumes)"} == 0',
    for: '10m',
    severity: 'critical',
    summary: 'Prometheus cannot read the metrics of {{ $labels.pod }}.',
  },
  {
    name: 'AzimuthResourcesNotReady',
    programs: ['operator'],
    expr: 'sum by (group, kind, state) (azimuth_operator_resources{state!~"Succeeded|Failed"}) > 0',
    for: '1h',
    severity: 'warning',
    summary:
      '{{ $value }} objects of {{ $labels.group }}/{{ $labels.kind }} have been {{ $labels.state }} for an hour.',
  },
  {
    name: 'AzimuthResourcesStalled',
    programs: ['operator'],
    expr: 'sum by (group, kind) (azimuth_operator_resources{state="Failed"}) > 0',
    for: '15m',
    severity: 'warning',
    summary: '{{ $value }} objects of {{ $labels.group }}/{{ $labels.kind }} failed and wait for a correction.',
  },
  {
    name: 'AzimuthCredentialFailing',
    programs: ['operator', 'identity', 'secrets'],
    expr: 'sum by (namespace, pod) (rate(azimuth_arm_requests_total{status=~"401|403"}[10m])) > 0',
    for: '15m',
    severity: 'critical',
    summary: 'Azure Resource Manager refuses the requests of {{ $labels.pod }} (401 or 403).',
  },
  {
    name: 'AzimuthCredentialExpires',
    programs: ['operator', 'identity', 'secrets'],
    expr: 'azimuth_credential_certificate_expiry_timestamp_seconds > 0 and azimuth_credential_certificate_expiry_timestamp_seconds - time() < 14 * 86400',
    for: '1h',
    severity: 'warning',
    summary: 'The client certificate of {{ $labels.pod }} expires in less than 14 days.',
  },
  {
    name: 'AzimuthThrottled',
    programs: ['operator', 'identity'],
    expr: 'sum by (class) (rate(azimuth_arm_throttled_total[15m])) > 0',
    for: '30m',
    severity: 'warning',
    summary: 'Azure has throttled requests of the class {{ $labels.class }} for half an hour.',
  },
  {
    name: 'AzimuthNoLeader',
    programs: [...controllers.slice(0, 2)],
    expr: 'max by (name) (leader_election_master_status{name=~"azimuth-.*"}) == 0',
    for: '5m',
    severity: 'critical',
    summary: 'No replica holds the lease {{ $labels.name }}: nothing is reconciled.',
  },
  {
    name: 'AzimuthRedirectionNotReady',
    programs: ['nmi'],
    expr: 'azimuth_nmi_redirection_ready == 0',
    for: '5m',
    severity: 'critical',
    summary: 'The node daemon {{ $labels.pod }} has no redirection: pods of its node get no tokens.',
  },
  {
    name: 'AzimuthTokensFailing',
    programs: ['nmi'],
    expr: 'sum by (pod) (rate(aadpodidentity_nmi_operations_duration_seconds_count{status_code=~"5.."}[15m])) / sum by (pod) (rate(aadpodidentity_nmi_operations_duration_seconds_count[15m])) > 0.5',
    for: '15m',
    severity: 'critical',
    summary: 'More than half of the token requests to the node daemon {{ $labels.pod }} fail (5xx).',
  },
  {
    name: 'AzimuthMountsFailing',
    programs: ['volumes'],
    expr: 'sum by (pod) (rate(azimuth_volumes_mounts_total{result="failed"}[15m])) / sum by (pod) (rate(azimuth_volumes_mounts_total[15m])) > 0.5',
    for: '15m',
    severity: 'warning',
    summary: 'More than half of the volumes that the node of {{ $labels.pod }} mounts fail.',
  },
  {
    name: 'AzimuthDriverNotInstalled',
    programs: ['volumes'],
    expr: 'azimuth_volumes_driver_installed == 0',
    for: '15m',
    severity: 'critical',
    summary: 'The node of {{ $labels.pod }} does not have the FlexVolume driver: no FlexVolume can be mounted.',
  },
  {
    name: 'AzimuthVolumesNotRefreshed',
    programs: ['volumes'],
    expr: 'azimuth_volumes_refresh_age_seconds > 1800',
    for: '10m',
    severity: 'warning',
    summary: 'A volume of the node of {{ $labels.pod }} has not been read from its vault for {{ $value }} seconds.',
  },
  {
    name: 'AzimuthEventsDropped',
    programs: ['operator', 'identity', 'nmi', 'volumes', 'secrets'],
    expr: 'sum by (namespace, pod) (increase(azimuth_events_discarded_total[1h])) > 0',
    for: '15m',
    severity: 'warning',
    summary: '{{ $labels.pod }} has not written {{ $value }} events within an hour.',
  },
];
