/** Texts of event streams and of provider tests, whose answers are not errors. */
export const MESSAGES = {
  'stream.stopping': ['服务正在停止,请稍后重试', 'The service is stopping; try again later'],
  'ai.stream-failed': ['AI 服务中断,请重试', 'The AI service was interrupted; try again'],
  // Appended to the reasoning of a preset that replaces a provider's answer.
  'ai.fallback': [
    'AI 服务未能给出可用的回答,以上为预设内容(fallback)。',
    ' The AI service gave no usable answer; the above is preset content (fallback).',
  ],
  'ai-test.connection': [
    '{provider} 无法连接,请检查地址与网络',
    'Cannot connect to {provider}; check the address and the network',
  ],
  'ai-test.timeout': [
    '{provider} {seconds} 秒内没有响应',
    '{provider} did not answer within {seconds} seconds',
  ],
  'ai-test.rate-limited': [
    '{provider} 请求过于频繁或额度已用完',
    '{provider} received too many requests, or the quota is used up',
  ],
  'ai-test.server': [
    '{provider} 服务端错误,请稍后重试',
    '{provider} reported a server error; try again later',
  ],
  'ai-test.key-refused': [
    '{provider} API 密钥无效或没有权限',
    'The API key for {provider} is invalid or lacks permission',
  ],
  'ai-test.not-found': ['{provider} 地址或模型不存在', '{provider} does not have this address or model'],
  'ai-test.request': [
    '{provider} 请求被拒绝,请检查地址与模型',
    '{provider} rejected the request; check the address and the model',
  ],
  'ai-test.refused': ['{provider} 没有给出可用的回答', '{provider} gave no usable answer'],
  'ai-test.invalid-answer': [
    '{provider} 返回的内容无法识别,请检查地址',
    'The answer from {provider} cannot be understood; check the address',
  ],
  'ai-test.not-configured': ['{provider} 未配置 API 密钥', '{provider} has no API key'],
  'ai-test.key-withheld': [
    '{provider} 保存的地址不使用环境变量中的密钥,请同时保存密钥',
    '{provider} has a stored address, which does not use the key of the environment; store the key too',
  ],
} as const;
