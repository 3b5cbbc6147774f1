/**
 * Loaded into the process of a pod before its program (`--import`), in place of a network namespace: connections come
 * from the pod's own address (the variable AZIMUTH_POD_IP), by which the node daemon knows the pod. The program itself
 * is unchanged.
 */
import { Agent, type ClientRequestArgs } from 'node:http';

const localAddress = process.env['AZIMUTH_POD_IP'];
const { createConnection } = Agent.prototype;
Agent.prototype.createConnection = function (options: ClientRequestArgs, callback) {
  return createConnection.call(this, { ...options, localAddress }, callback);
};
