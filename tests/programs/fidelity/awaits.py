import asyncio


async def main():
    await asyncio.sleep(0)
    raise ValueError("in a coroutine")


asyncio.run(main())
