// Sums what the test runner reported of itself; the last line is the result.
import { existsSync, readFileSync } from 'node:fs'

let passed = 0
let failed = 0
let sound = true
for (const file of process.argv.slice(2)) {
  if (!existsSync(file)) {
    process.stderr.write(`${file} is missing: its tests did not run to the end\n`)
    sound = false
    continue
  }
  const report = JSON.parse(readFileSync(file, 'utf8'))
  passed += report.numPassedTests
  failed += report.numFailedTests
  if (!report.success || report.numPassedTests === 0) {
    process.stderr.write(`${file}: not a success, ${report.numPassedTests} passed\n`)
    sound = false
  }
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = sound && passed > 0 && failed === 0 ? 0 : 1
