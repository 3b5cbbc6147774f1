import { type Flag, healthAddressFlag, kubeconfigFlag, metricsPortFlag, wholeFrom } from '../../base/program.ts';
import { address, addresses } from '../../base/settings.ts';

/** Flags for the node, the API server, and the addresses and ports that the daemon serves. */
export const addressFlags = {
  node: {
    flag: 'node',
    env: 'NODENAME',
    default: '',
    meaning: 'name of the node this daemon runs on; the program also reads NODE_NAME',
    parse: (setting, text, { env }) => text(setting) || env['NODE_NAME']?.trim() || '',
  },
  kubeconfig: kubeconfigFlag,
  listenAddress: {
    flag: 'nmi-listen-address',
    env: 'NMI_LISTEN_ADDRESS',
    default: '127.0.0.1',
    meaning: 'address for callers on the node; pods use the redirection',
    parse: address,
  },
  port: {
    flag: 'nmi-port',
    env: 'NMI_PORT',
    default: '2579',
    meaning: 'port of the metadata endpoint',
    parse: wholeFrom(0, 65_535),
  },
  metadataIps: {
    flag: 'metadata-ip',
    env: 'METADATA_IP',
    default: '169.254.169.254',
    meaning: 'addresses of the metadata endpoint for pods, separated by commas; the daemon redirects IPv6 ones too',
    parse: addresses,
  },
  metadataPort: {
    flag: 'metadata-port',
    env: 'METADATA_PORT',
    default: '80',
    meaning: 'port of the metadata endpoint for pods',
    parse: wholeFrom(1, 65_535),
  },
  redirectIps: {
    flag: 'redirect-ip',
    env: 'REDIRECT_IP',
    default: '169.254.169.253,fd61:7a69:6d75:7468::fd',
    meaning: 'addresses on the loopback interface for redirected connections, one for each family',
    parse: addresses,
  },
  hostIps: {
    flag: 'host-ip',
    env: 'HOST_IP',
    default: '',
    meaning: 'addresses of the node, separated by commas; a caller with one of them is never a pod',
    parse: addresses,
  },
  healthPort: {
    flag: 'health-port',
    env: 'HEALTH_PORT',
    default: '8085',
    aliases: ['http-probe-port'],
    meaning: 'port of /healthz and /readyz; 0 picks a free one',
    parse: wholeFrom(0, 65_535),
  },
  metricsPort: metricsPortFlag(8445),
  healthAddress: healthAddressFlag,
} as const satisfies Record<string, Flag>;
