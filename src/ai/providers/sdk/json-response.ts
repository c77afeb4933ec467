/** Whether a server that was asked for a stream has sent its answer in one piece. */
export function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.toLowerCase().includes('application/json') ?? false;
}
