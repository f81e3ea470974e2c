import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The app and the gateway under one address, so that neither needs CORS. */
const proxy = { '/graphql': process.env.GATEWAY ?? 'http://127.0.0.1:4000' }

export default defineConfig({
  plugins: [react()],
  build: { chunkSizeWarningLimit: 1000 },
  server: { proxy, host: '127.0.0.1' },
  preview: { proxy, host: '127.0.0.1', port: Number(process.env.PORT ?? 4173), strictPort: true },
})
