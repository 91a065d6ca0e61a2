import { expect, test } from 'vitest'
import { readFailedTests } from '../../src/cli/read-junit.ts'

// As node:test, pytest, Vitest, Playwright and jest-junit write them.
const REPORT = `<?xml version="1.0" encoding="utf-8"?>
<testsuites>
\t<testcase name="passes" time="0.1" classname="test"/>
\t<testcase name="lists &quot;every&quot; pet &amp; no &#x1F436;" time="0.1" classname="test" failure="5 !== 10">
\t\t<failure type="testCodeFailure" message="5 !== 10">&lt;testcase name="in a diff"&gt;&lt;failure</failure>
\t</testcase>
\t<testcase name="is skipped"><skipped/></testcase>
\t<testcase classname="test_inventory.TestStock" name=" test_setup" time="0.1"><error message="no &#10; fixture">x</error></testcase>
\t<testcase name="shop.pw.js &gt; prints" classname="shop.pw.js">
\t\t<system-out><![CDATA[<testcase name="in an output"><failure>]]></system-out>
\t</testcase>
\t<!-- <failure> tests 5 -->
</testsuites>`

test('the failed tests of a JUnit report are read by name', () => {
  expect([...readFailedTests(REPORT)]).toEqual(['lists "every" pet & no 🐶', 'test_setup'])
  expect([...readFailedTests('')]).toEqual([])
})
