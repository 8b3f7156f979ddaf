import { definePlugin } from '@argusai/core';
import { createDockerClient, type DockerClient } from '@argusai/plugin-docker';
import { dnsChecker } from './checkers/dns.js';
import { httpChecker } from './checkers/http.js';
import { tcpChecker } from './checkers/tcp.js';
import { topologyChecker } from './checkers/topology.js';
import { networkErrorCodes } from './error-codes.js';
import { options } from './options.js';
import { reconnectRecoverer } from './recoverers/reconnect.js';
import { diagnoseService } from './verify/diagnose-service.js';
import { repairServices } from './verify/repair-services.js';
import { verifyEnvironment } from './verify/verify-environment.js';

export * from './error-codes.js';
export type { Connection } from './verify/connection.js';
export type { NetworkMembers, NetworkVerification } from './verify/report.js';

/** Looks after networks: what a team needs answers, and inside an environment everybody reaches whom they should. */
export default definePlugin({
  name: 'network',
  options,
  apply({ hooks, config, runtimes, circuits, store, clock, redactor, env }, { http, tcp, dns, verify }) {
    let made: DockerClient | undefined;
    const client = () => (made ??= createDockerClient({ circuits, clock, env }));
    const reconnected = new Set<string>();
    const parts = { client, store, clock, config, runtimes, verify, reconnected };
    const hasContainers = [config.services, config.mocks].some((all) =>
      Object.values(all).some(
        (one) => one.image !== undefined || ('build' in one && one.build !== undefined),
      ),
    );
    hooks.errorCodes.tap('network', (codes) => {
      for (const code of networkErrorCodes) codes.add(code);
    });
    // What has nothing to look at is not there: nobody wants to read that it was skipped.
    hooks.checkers.tap('network', (checkers) => {
      if (http.length > 0) checkers.add(httpChecker(http, redactor));
      if (tcp.length > 0) checkers.add(tcpChecker(tcp));
      if (dns.length > 0) checkers.add(dnsChecker(dns));
      if (hasContainers) checkers.add(topologyChecker(parts));
    });
    hooks.recoverers.tap('network', (recoverers) => recoverers.add(reconnectRecoverer(parts)));
    hooks.diagnoseService.tapPromise('network', (diagnosis) => diagnoseService(parts, diagnosis));
    if (!config.resilience.network.verifyConnectivity) return;
    hooks.repairServices.tapPromise('network', (repair) => repairServices(parts, repair));
    hooks.verifyEnvironment.tapPromise('network', (stage) => verifyEnvironment(parts, stage));
  },
});
