module.exports = {
  formulas: {
    input: './api.json',
    output: {
      target: './generated/api.ts',
      client: 'fetch',
      baseUrl: process.env.API_ORIGIN ?? 'http://localhost:3001',
      override: { contentType: { include: ['application/json', 'text/event-stream'] } },
    },
  },
};
