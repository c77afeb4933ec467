// Exit code 0 when the service on this machine is alive; the image has no curl. Not whether its database is:
// who kills what is unhealthy would mend nothing. Proxies ask /api/health.
const { PORT = '3001' } = process.env;
const answer = await fetch(`http://127.0.0.1:${PORT}/api/ext/live`, {
  signal: AbortSignal.timeout(4000),
}).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
