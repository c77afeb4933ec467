import { contentFault } from '../../../common/http/request-content';
import { inWords } from '../../../common/texts/text';
import { InvalidAnswer } from '../../provider/ai-failure';
import { type AiCall } from '../ai-call';

/** At most so many faults are named in a repair request. */
const NAMED_FAULTS = 10;

/**
 * The value as the capability's answer.
 *
 * @param text what the model wrote, shown to it in a repair request
 * @throws InvalidAnswer when there is none, it breaks the schema, or it holds what a request may not hold
 *   either (a NUL character)
 */
export function checkedAnswer({ capability, provider }: AiCall, text: string, value: unknown): unknown {
  if (value === undefined) throw new InvalidAnswer(provider.name, text, 'The answer is not JSON.');
  const { listKey } = capability;
  const rooted = Array.isArray(value) && listKey !== undefined ? { [listKey]: value as unknown } : value;
  const result = capability.schema.safeParse(rooted);
  if (result.success) {
    const fault = contentFault(result.data);
    if (!fault) return result.data;
    throw new InvalidAnswer(provider.name, text, `${fault.field}: ${inWords(fault.message)}`);
  }
  const problem = result.error.issues
    .slice(0, NAMED_FAULTS)
    .map((issue) => `${issue.path.join('.') || '(root)'}: ${issue.message}`)
    .join('; ');
  throw new InvalidAnswer(provider.name, text, problem);
}
