import { defineConfig } from 'vitest/config'

// Vite would take graphql's ES module where Pothos and Yoga take the CommonJS one: two realms.
const alias = [{ find: /^graphql$/, replacement: 'graphql/index.js' }]
const project = (
  name: string,
  include: string[],
  testTimeout: number,
  globalSetup: string[] = [],
) => ({
  resolve: { alias },
  test: { name, include, exclude: ['**/node_modules/**', 'dist'], testTimeout, globalSetup },
})

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/**/*.test.ts'], 20_000, ['test/support/pages.ts']),
      project('browser', ['test/**/*.browser.ts'], 60_000),
      project('routers', ['test/**/*.routers.ts'], 60_000),
      project('redis', ['test/**/*.redis.ts'], 60_000, ['test/support/dist.ts']),
      project('nightly', ['test/**/*.nightly.ts'], 18_000_000),
    ],
  },
})
