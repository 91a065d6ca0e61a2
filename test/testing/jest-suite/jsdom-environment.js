import JsdomEnvironment from '@jest/environment-jsdom-abstract'
import * as jsdom from 'jsdom'

const CLASSES_OF_FETCH = { Headers, Request, Response, ReadableStream, TransformStream, WritableStream }
const OTHERS = { AbortController, AbortSignal, BroadcastChannel, TextDecoder, TextEncoder }

/** Jest's jsdom, with what it lacks of Node, as in https://github.com/mswjs/jest-fixed-jsdom. */
export default class extends JsdomEnvironment {
  constructor(config, context) {
    super(config, context, jsdom)
    Object.assign(this.global, { fetch, ...CLASSES_OF_FETCH, ...OTHERS })
    // It would take the files that packages have for browsers.
    this.customExportConditions = ['node', 'node-addons']
  }
}
