import { hideInAddress } from '../../contract/hide-credentials.ts'
