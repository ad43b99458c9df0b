import runpy
import traceback

try:
    runpy.run_path("raises.py", run_name="__main__")
except Exception:
    print(traceback.format_exc())
runpy.run_path("raises.py", run_name="other")
