import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Environment } from '../config/environment';
import { type Answer, Answers } from './answers';

/**
 * Number of faults per second that are always logged. Further ones are sampled like all other answers, because
 * clients that send no HTTP, or disconnect before the answer, have no other limit.
 */
const MOST_FAULTS = 50;

/**
 * Logs every answer, or a random share of them. It logs neither path nor query: they may contain a secret or a
 * formula.
 */
@Injectable()
export class AccessLog implements OnModuleInit {
  private readonly logger = new Logger('Access');
  private secondBeganAt = -Infinity;
  private faults = 0;

  constructor(
    private readonly environment: Pick<Environment, 'accessLogShare'>,
    private readonly answers: Answers,
    private readonly clock: Pick<Clock, 'elapsed'>,
    private readonly random: () => number,
  ) {}

  onModuleInit(): void {
    const share = this.environment.accessLogShare;
    if (share === 0) return;
    this.answers.watch((answer) => {
      if (this.isKept(answer) || this.random() < share) this.write(answer);
    });
  }

  private isKept(answer: Answer): boolean {
    if (!isFault(answer)) return false;
    const now = this.clock.elapsed();
    if (now - this.secondBeganAt >= 1_000) {
      this.secondBeganAt = now;
      this.faults = 0;
    }
    this.faults += 1;
    return this.faults <= MOST_FAULTS;
  }

  private write({
    requestId,
    traceId,
    userId,
    method,
    route,
    status,
    seconds,
    bytes,
    isComplete,
  }: Answer): void {
    const line = {
      requestId,
      ...(traceId === undefined ? {} : { traceId }),
      user: userId ?? null,
      method,
      route,
      status,
      ms: Math.round(seconds * 10_000) / 10,
      bytes,
      ...(isComplete ? {} : { cut: true }),
    };
    this.logger.log(line, `${method} ${route} ${status}`);
  }
}

/** Returns true for answers that are always logged. 429 is not one of them: it limits the number of most others. */
const isFault = ({ status, isComplete }: Answer): boolean => (status >= 400 && status !== 429) || !isComplete;
