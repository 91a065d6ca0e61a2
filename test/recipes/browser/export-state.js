copy(await (await fetch('_mock/state')).text())
