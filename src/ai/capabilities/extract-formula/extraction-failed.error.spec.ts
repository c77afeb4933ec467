import { UnavailableError } from '../../../platform/common/errors/service-error';
import { AiFailure } from '../../../platform/common/errors/ai-failure';
import { ExtractionFailedError } from './extraction-failed.error';

describe('ExtractionFailedError', () => {
  it('stands for a failed AI call only: a database that is away keeps its own status', () => {
    const failure = new AiFailure('server', 'alpha', { retryable: true });
    expect(ExtractionFailedError.from(failure)).toMatchObject({
      status: 500,
      message: 'AI 提取失败,请重试',
    });
    const away = new UnavailableError('away');
    expect(ExtractionFailedError.from(away)).toBe(away);
  });
});
